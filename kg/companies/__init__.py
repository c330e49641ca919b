"""Companies compared: library (who is kept, what filings state) -> measure + evaluate -> compare, statement -> output.

library   companies and their observations over all filings that are kept
measure   expressions of line items and metrics, read; value: a figure with what it rests on
evaluate  a measure for a company and a period: stated, following from other spans, calculated
compare   measures by company and period; screen: which companies; years: those that are asked for,
          times: in words
statement one statement of a company over years
output/   lines as they are shown and written
"""
