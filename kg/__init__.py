"""One report as a graph: Document + TBox -> draft, text (what is printed and means) -> build (triples) -> graph (SPARQL
and facts) -> store (on disk) -> query (any SPARQL, in a worker that can be stopped) -> show, check."""
