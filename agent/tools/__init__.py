"""What can be called: toolbox, over answering (of every kind, with prose), lookup (by name, or of what it is made) and
values (by reference); derived (over spans of days) tells what is not printed but follows, across what companies state
by fiscal year."""
