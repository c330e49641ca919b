"""How amounts, periods, units and labels are printed: text -> amount, period, unit, label."""
