"""The human study: agreement, preference, people against automatic measures. Frames in, results out."""
