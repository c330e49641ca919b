() => {
  const faults = [];
  const seen = (node) => node.checkVisibility() && !node.closest("[hidden]");
  for (const node of document.querySelectorAll("button, a[href], input, select, textarea, summary, dialog, [role=region]")) {
    if (node.getAttribute("aria-hidden") === "true") continue;
    const labelled = node.getAttribute("aria-labelledby");
    const name = node.getAttribute("aria-label") || (labelled && document.getElementById(labelled)?.textContent)
      || [...(node.labels ?? [])].map((label) => label.textContent).join(" ") || (node.matches("button, a, summary") && node.textContent);
    if (!String(name || "").trim()) faults.push("no name: " + node.outerHTML.slice(0, 120));
  }
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  for (const id of new Set(ids)) if (ids.filter((each) => each === id).length > 1) faults.push("id twice: " + id);
  const channels = (color) => {
    const parts = color.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return parts.length < 4 ? [...parts, 1] : parts;
  };
  const light = ([r, g, b]) => [r, g, b].map((value) => { const c = value / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; })
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (node) => {
    for (let each = node; each; each = each.parentElement) {
      const color = channels(getComputedStyle(each).backgroundColor);
      if (color[3] === 1) return color;
    }
    return [255, 255, 255, 1];
  };
  for (const node of document.querySelectorAll("body *")) {
    const text = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!text || !seen(node) || node.disabled || node.tagName === "OPTION" || node.closest(".unseen, .skip")) continue;
    const [one, other] = [light(channels(getComputedStyle(node).color)), light(ground(node))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${node.outerHTML.slice(0, 120)}`);
  }
  return faults;
}
