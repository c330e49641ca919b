"""What part of a company figures of tables are about: sums and places -> evidence -> names -> mark."""
