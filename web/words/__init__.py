"""The words of the pages, one module for each subject. `evenboard_engine/words` has what the command line says too."""
