"""The page *latent*: In which space does it split."""
