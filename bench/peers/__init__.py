"""Us beside the peers: the same files, one run, times, ratios and answers."""
