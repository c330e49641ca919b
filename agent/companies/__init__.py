"""Companies over the filings that are open: across (who is there, what filings state) -> lines (as they are shown).

What a question asks of companies is read in tieout.agent.offline.companies; tools look it up with `query_kg`.
"""
