"""What part of a company figures of tables are about: what adds up and places -> evidence -> names -> mark."""
