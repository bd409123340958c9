"""Program -> its syntax: its language, what it defines and what it calls."""
