"""The words of the pages, one module for each subject. What the command line says too is in `pairing/words`."""
