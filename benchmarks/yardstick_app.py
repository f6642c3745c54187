"""What a good Streamlit developer writes in an hour: the other choice of a user, measured beside.

Run by ``benchmarks.yardstick`` under Streamlit's own settings; ``?bare`` is a heading and a figure.
"""

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

st.set_page_config(layout="wide")
asked = st.query_params
if "bare" in asked:
    st.title("Bare")
    X = np.random.default_rng(0).normal(size=(400, 2))
    st.plotly_chart(go.Figure(go.Scatter(x=X[:, 0], y=X[:, 1], mode="markers")), key="a")
    st.stop()

side = st.sidebar
n = side.slider("Rows", 100, 5000, int(asked.get("n", 400)), 50)
noise = side.slider("Noise", 0.0, 1.0, 0.3, 0.01)
held = side.slider("Held out", 0, 70, 30, 5)
depth = side.slider("Depth", 1, 20, 6)
leaf = side.slider("Smallest leaf", 1, 50, 1)
criterion = side.selectbox("Criterion", ["gini", "entropy"])
seed = int(side.number_input("Seed", 0, 10**6, int(asked.get("seed", 0))))

st.title("Where does the tree draw the line?")
X, y = make_moons(n, noise=noise, random_state=seed)
parts = train_test_split(X, y, test_size=max(held, 1) / 100, random_state=seed)
train, test, train_classes, test_classes = parts
model = DecisionTreeClassifier(
    max_depth=depth, min_samples_leaf=leaf, criterion=criterion, random_state=0
).fit(train, train_classes)
numbers = {
    "held out": model.score(test, test_classes),
    "training": model.score(train, train_classes),
    "leaves": model.get_n_leaves(),
    "depth": model.get_depth(),
}
for column, (name, value) in zip(st.columns(4), numbers.items(), strict=True):
    column.metric(name, f"{value:.3g}")

low, high = X.min(0) - 0.3, X.max(0) + 0.3
grid_x, grid_y = np.meshgrid(*(np.linspace(low[i], high[i], 200) for i in (0, 1)))
regions = model.predict(np.c_[grid_x.ravel(), grid_y.ravel()]).reshape(grid_x.shape)
figure = go.Figure(go.Heatmap(x=grid_x[0], y=grid_y[:, 0], z=regions, showscale=False, opacity=0.4))
for k in (0, 1):
    figure.add_scatter(x=X[y == k, 0], y=X[y == k, 1], mode="markers", name=f"class {k}")
st.plotly_chart(figure, key="plane")
importance = go.Figure(go.Bar(x=["x1", "x2"], y=model.feature_importances_))
st.plotly_chart(importance, key="importance")
