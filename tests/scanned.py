"""A page that is a picture, as a scanner makes it: its words are drawn, and where each was drawn is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

DOTS = 150  # an inch
SIZE = 25  # of the letters, in dots
Box = tuple[float, float, float, float]  # left, top, right, bottom, in points


def make_scan(path: Path, rows: Sequence[Sequence[str]]) -> dict[str, Box]:
    """Writes a PDF of one page that is a picture of a table: labels to the left, figures to the right. Gives the box of
    each text."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", (6 * DOTS, 45 * len(rows) + 90), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(SIZE)
    boxes = {}
    for number, cells in enumerate(rows):
        for column, text in enumerate(cells):
            at, anchor = (
                ((50, 50 + 45 * number), "la") if column == 0 else ((380 + 220 * column, 50 + 45 * number), "ra")
            )
            draw.text(at, text, font=font, fill=0, anchor=anchor)
            left, top, right, bottom = (72 / DOTS * each for each in draw.textbbox(at, text, font=font, anchor=anchor))
            boxes[text] = left, top, right, bottom
    image.save(path, "PDF", resolution=DOTS)
    return boxes
