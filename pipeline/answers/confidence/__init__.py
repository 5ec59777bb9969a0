"""How sure an answer is: signs of a value, and what they are worth."""
