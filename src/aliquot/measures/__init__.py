"""What is estimated: the weights of a system's output, and how sums become a measure."""
