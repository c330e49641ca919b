"""What can be called: toolbox, over answering (of every kind, with prose), lookup (by name) and values (by reference);
definitions and derived (over spans of days) tell what is not printed but follows, across what companies state by fiscal
year."""
