"""An index as it is -> what is wrong with it."""
