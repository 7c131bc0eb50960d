"""The cross-test: every round of generated tournaments is asked of another program, and each difference explained."""
