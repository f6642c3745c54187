"""What figures are drawn with: theme, marks, panels, layouts, words. Imports no figure."""
