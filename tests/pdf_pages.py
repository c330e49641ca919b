"""PDFs made by hand: pages of texts at places, with rules, for the tests of the reader."""

from __future__ import annotations

from dataclasses import dataclass, field

WIDTH, HEIGHT = 612, 792
# Widths of Helvetica's letters that the tests write, in thousandths of the size.
_DIGIT = 556


@dataclass
class PdfPage:
    """texts: (x, y from the top, text, is bold, size); rules: (x0, x1, y from the top). picture: it shows one."""

    texts: list[tuple[float, float, str, bool, float]] = field(default_factory=list)
    rules: list[tuple[float, float, float]] = field(default_factory=list)
    picture: bool = False

    def write(self, x: float, y: float, text: str, bold: bool = False, size: float = 10) -> None:
        self.texts.append((x, y, text, bold, size))

    def write_right(self, x: float, y: float, text: str) -> None:
        """A number that ends at x."""
        width = sum(_DIGIT if letter.isdigit() or letter == "$" else 1000 if letter == "—" else 300 for letter in text)
        self.write(x - width / 100, y, text)

    @property
    def stream(self) -> bytes:
        lines = []
        for x, y, text, bold, size in self.texts:
            escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            lines.append(f"BT /{'B' if bold else 'F'} {size:g} Tf {x:.2f} {HEIGHT - y:.2f} Td ({escaped}) Tj ET")
        lines += [f"{x0:.2f} {HEIGHT - y:.2f} m {x1:.2f} {HEIGHT - y:.2f} l S" for x0, x1, y in self.rules]
        if self.picture:
            lines.append(f"q {WIDTH} 0 0 {HEIGHT} 0 0 cm /I Do Q")
        return "\n".join(lines).encode("cp1252")


def make_pdf(pages: list[PdfPage], encrypted: bool = False) -> bytes:
    """The bytes of a PDF with these pages. encrypted: by a password that nobody knows."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    for name in (b"Helvetica", b"Helvetica-Bold"):
        objects.append(b"<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding /BaseFont /" + name + b" >>")
    objects.append(
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>"
        b"\nstream\n\x80\nendstream"
    )
    kids = []
    for page in pages:
        stream = page.stream
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R /Resources << /Font << /F 3 0 R "
            b"/B 4 0 R >> /XObject << /I 5 0 R >> >> >>" % (WIDTH, HEIGHT, len(objects))
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    written = b"%PDF-1.4\n"
    places = []
    for number, each in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    start = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % place for place in places)
    lock = b""
    if encrypted:
        lock = b" /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<00> <00>]" % (
            b"11" * 32,
            b"22" * 32,
        )
    return written + b"trailer << /Root 1 0 R /Size %d%s >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, lock, start)
