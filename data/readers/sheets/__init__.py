"""Workbooks into documents: styles, displayed (how cells are shown) -> sheet -> blocks -> workbook."""
