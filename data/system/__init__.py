"""What differs from system to system: processes beside this one, one that is asked line by line (lines), what
one that is not trusted keeps to (confined) and may not tell (redact: keys), locks of files, and what is compiled once
for all processes (compile_cache)."""
