"""Questions over data beside reports: invent (the economy of the sample), questions -> run (in layers) -> scores."""
