"""Right and wrong where questions have rules of their own: tatqa, report_answer (whole reports), over_data."""
