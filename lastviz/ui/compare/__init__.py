"""The page *compare*: studies of algorithms on data sets, and the conclusions they allow."""
