"""Periods as reports print them: dates, lengths -> timespan (one period) -> period (read) -> fiscal (its days) -> spans
(that follow from others)."""
