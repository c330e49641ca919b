"""What is printed and what it means, before it is a graph: text, phrase (sentences), draft (tables)."""
