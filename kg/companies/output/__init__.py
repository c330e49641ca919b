"""Lines of companies as is wanted: grid (for the eye), text (CSV, JSON lines), workbook, page, chart, frame."""
