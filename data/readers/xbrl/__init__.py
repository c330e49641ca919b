"""XBRL as JSON into documents: facts (which form) -> company (companyfacts, companyconcept), report (OIM)."""
