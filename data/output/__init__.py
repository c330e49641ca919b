"""What is written for people: workbook (values beside their formulas), chart (SVG, PNG), look (of all pages), style (of
numbers, of the house)."""
