"""Claims that say the same in other words: no engine may contradict itself over them."""
