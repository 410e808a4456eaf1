"""Sequences of random variables of any joint law: which way of converging leads to which.

modes      what a fact says: almost surely, in probability, in mean, or by a sum that is finite
rules      what follows from what, for every sequence: Markov, Borel-Cantelli, Jensen
spikes     explicit sequences of which every such statement is known to be true or false
examine    a claim by the rules, or refuted by one of the explicit sequences

    sum E|Z|**p  =>  sum P(|Z| > t), all t  =>  almost surely  =>  P(|Z| > t) -> 0, all t
    sum E|Z|**p  =>  E|Z|**p -> 0           =>  E|Z|**q -> 0, q <= p  =>  P(|Z| > t) -> 0, all t
"""
