"""The scenes of the course that look into a model, and those on the abilities of trees."""

from __future__ import annotations

from .course import DEBUG, DEMO, TEACH, CourseScene, CourseStep

BUILT_CLOUDS = "data=xor&noise=0.1"
NOISY = "data=monotone&n_samples=500&label_noise=0.05"

DEBUGGING = (
    CourseScene(
        "why_this_row",
        "Why is this row where it is?",
        "Breast cancer: {leaves} rules, row 20 on its way through them",
        DEBUG,
        5,
        (
            CourseStep(
                "rules",
                "data=breast_cancer&m=c45&lit=20",
                "The highlighted path is that of one row. It has {features} features, of which at "
                "most {depth} are tested.",
                "rules_plot",
            ),
            CourseStep(
                "boundaries",
                "data=breast_cancer&m=c45&lit=20",
                "The same row in the plane of the two features that say most. Regions are exact; "
                "accuracy {accuracy} % on {held} rows held out.",
                "plane0",
            ),
            CourseStep(
                "rules",
                "data=breast_cancer&m=c45&lit=20&least=5",
                "Every leaf is a rule with its support, its confidence and its accuracy on "
                "held-out rows. Below, the smallest change that flips the decision.",
                "rule_table",
            ),
        ),
    ),
    CourseScene(
        "what_if",
        "What if it had split elsewhere?",
        "XOR, {learnt} rows, noise {noise}: one line by hand, {leaves} leaves instead of "
        "{leaves_unedited}",
        DEBUG,
        6,
        (
            CourseStep(
                "splits",
                "data=xor&held=0&m=cart&e=T1_0.5",
                "CART is made to split the root at {test}, which its greedy search would not "
                "choose. It then grows on its own: {leaves} leaves instead of {leaves_unedited}.",
                "lab_plot",
            ),
            CourseStep(
                "splits",
                "data=xor&held=0&m=cart&lab=landscape",
                "Every line of the plane by its Gini gain, as a landscape: dark is good. At 0° "
                "and 90°, where CART looks, no line gains more than {best_gini} of {impurity}: a "
                "greedy search has nothing to climb there. The summits are slanted lines that cut "
                "off one cloud.",
                "landscape",
            ),
            CourseStep(
                "splits",
                "data=xor&held=0&m=cart&better=true",
                "Looking ahead, the peaks appear: outward, the fewest errors that remain when both "
                "sides may be split twice more.",
                "ahead",
            ),
        ),
    ),
    CourseScene(
        "instability",
        "Would other rows have drawn the same?",
        "Moons: {leaves} leaves, and how sure each border is",
        DEBUG,
        5,
        (
            CourseStep(
                "boundaries",
                "data=moons&m=cart&tint=certainty",
                "The paler a region, the less certain the tree is of its class. {leaves} leaves, "
                "accuracy {accuracy} % on held-out rows.",
                "plane0",
            ),
            CourseStep(
                "boundaries",
                "data=moons&m=cart&detail=stable",
                "Many trees grown on resampled rows: where they agree, the border is stable; "
                "where they do not, it depends on the sample.",
                "plane0",
            ),
            CourseStep(
                "boundaries",
                "data=moons&m=cart&seed=7&m2=c45",
                "Other rows held out, another algorithm: accuracy {accuracy} and {accuracy_2} %. "
                "A difference no larger than that between two divisions says nothing.",
                "plane1",
            ),
        ),
    ),
    CourseScene(
        "slice",
        "What does a flat picture hide?",
        "Waveform: {features} features, two of them on the axes",
        DEBUG,
        4,
        (
            CourseStep(
                "boundaries",
                "data=waveform&n_samples=1000&m=c45&m2=cart&x=x11&y=x15",
                "Two of {features} features on the axes, all others fixed: an exact slice through "
                "the regions. A number below says how many rows it tells the truth about.",
                "plane0",
            ),
            CourseStep(
                "boundaries",
                "data=waveform&n_samples=1000&m=c45&m2=cart&x=x5&y=x7",
                "The same trees on two other axes: another slice, other borders. Neither is the "
                "tree; its accuracy, {accuracy} %, belongs to none of the pictures.",
                "plane0",
            ),
            CourseStep(
                "rules",
                "data=waveform&n_samples=1000&m=c45&rule_view=rules",
                "The tree as a flow of rows hides nothing: {leaves} leaves, depth {depth}.",
                "rules_plot",
            ),
        ),
    ),
    CourseScene(
        "contradictions",
        "Which rows contradict each other?",
        "Ordered classes: {rows} rows, some of them mislabelled",
        DEBUG,
        5,
        (
            CourseStep(
                "monotone",
                f"{NOISY}&m=remt",
                "More of everything should never mean a lower class. With a few wrong labels "
                "{contradicting} pairs of these {rows} rows say the opposite.",
                "pairs_plane",
            ),
            CourseStep(
                "monotone",
                f"{NOISY}&m=remt&inclusion=0.5",
                "Each row has an inclusion degree; those below one half are left out before "
                "the trees grow.",
                "inclusion",
            ),
            CourseStep(
                "monotone",
                f"{NOISY}&m=remt&part=audit",
                "Does the tree keep the order? The audit compares all pairs of leaves and finds "
                "{violations} that do not.",
                "audit_plane",
            ),
        ),
    ),
)

BUILDING = (
    CourseScene(
        "build",
        "Build it yourself: how good can it be?",
        "Loans and an exclusive or, by hand: beside CART and the best possible tree",
        TEACH,
        8,
        (
            CourseStep(
                "growth",
                "growth_view=hand&data=loan&held=0&m=cart",
                "{learnt} loans in one leaf, which predicts the more frequent class. Drag a "
                "feature onto it, or press Enter on a feature and again: the table at the right "
                "counts at once who is right.",
                "hand_tree",
            ),
            CourseStep(
                "growth",
                "growth_view=hand&data=loan&held=0&m=cart&hand=C3_1~0L~1L&hand_at=1",
                "Whoever owns a house gets the loan: this leaf is pure. Split the other one, too, "
                "and look at the rank of your split among all candidates.",
                "hand_tree",
            ),
            CourseStep(
                "growth",
                f"growth_view=hand&m=cart&{BUILT_CLOUDS}&hand=T1_0.5~0L~1L",
                "Four clouds, crosswise: the first split gains almost nothing, whatever it asks. "
                "Split both leaves by x2 all the same, near one half.",
                "hand_tree",
            ),
            CourseStep(
                "growth",
                f"growth_view=hand&m=cart&{BUILT_CLOUDS}&hand=T1_0.5~0T2_0.5~00L~01L~1T2_0.5~10L~11L",
                "Now few rows are wrong, although the first split has a poor rank. CART of the "
                "same depth, which takes the best split at once, errs more: the bars at the right "
                "compare it with the best possible tree. Let CART go on from your leaves.",
                "hand_tree",
            ),
        ),
    ),
)

SHOWING = (
    CourseScene(
        "five_rows",
        "Consistent rows, a contradicting tree?",
        "{rows} rows without a contradiction, {leaves} leaves with one",
        DEMO,
        4,
        (
            CourseStep(
                "monotone",
                "data=five_rows&held=0&m=remt&m.min_gain=0",
                "{rows} rows, and {contradicting} pairs contradict each other.",
                "pairs_plane",
            ),
            CourseStep(
                "monotone",
                "data=five_rows&held=0&m=remt&m.min_gain=0&part=audit",
                "A tree that fits them all, and still {violations} pair of leaves breaks the "
                "order: two points, one above the other, prove it.",
                "audit_plane",
            ),
            CourseStep(
                "boundaries",
                "data=five_rows&held=0&m=remt&m.min_gain=0",
                "Where it happens: a region of a lower class right above one of a higher class. "
                "Consistent rows are not enough for a monotone tree.",
                "plane0",
            ),
        ),
    ),
    CourseScene(
        "forest",
        "What do many trees decide together?",
        "Ordered classes: one tree, accuracy {accuracy} %, beside a forest",
        DEMO,
        5,
        (
            CourseStep(
                "boundaries",
                f"{NOISY}&m=remt",
                "One tree for ordered classes, some of whose labels are wrong: {leaves} leaves, "
                "accuracy {accuracy} % on {held} rows held out.",
                "plane0",
            ),
            CourseStep(
                "boundaries",
                f"{NOISY}&m=remt&m2=mcdf",
                "Beside it a forest of {trees_2} trees, each trained on other rows: accuracy "
                "{accuracy_2} %; the tree reaches {accuracy} %. The page Compare tests "
                "whether {held} rows are enough to tell the two apart.",
                "plane1",
            ),
            CourseStep(
                "rules",
                f"{NOISY}&m=mcdf",
                "The decision: the votes of the {trees} trees, and each tree on its own.",
                "forest_overview",
            ),
            CourseStep(
                "growth",
                f"{NOISY}&m=mcdf",
                "How the rows of a tree were drawn, and what the wrong labels did to it.",
                "subset0",
            ),
        ),
    ),
    CourseScene(
        "xor_oblique",
        "Can a slanted line undo a crossing?",
        "XOR, {learnt} rows, noise {noise}: CART {leaves} leaves, {accuracy} % right; OC1 "
        "{leaves_2}, {accuracy_2} %",
        DEMO,
        4,
        (
            CourseStep(
                "boundaries",
                "data=xor&m=cart&m2=oc1",
                "CART (left) grows {leaves} leaves for four clouds, accuracy {accuracy} %.",
                "plane0",
            ),
            CourseStep(
                "boundaries",
                "data=xor&m=cart&m2=oc1",
                "OC1 (right) looks for hyperplanes, move by move: {leaves_2} leaves, accuracy "
                "{accuracy_2} %.",
                "plane1",
            ),
            CourseStep(
                "boundaries",
                "data=xor&m=cart&m2=oc1&detail=search",
                "Its search, start by start: {best_starts_2} of {starts_2} starts reach the "
                "largest score. One that ends lower is caught in a local optimum; that is why it "
                "restarts.",
                "plane1",
            ),
        ),
    ),
    CourseScene(
        "digits",
        "How does a tree read a digit?",
        "{features} pixels, {leaves} leaves, accuracy {accuracy} %",
        DEMO,
        4,
        (
            CourseStep(
                "rules",
                "data=digits&m=cart&rule_view=rules",
                "{rows} handwritten digits of {features} pixels. The tree asks how dark single "
                "pixels are: {leaves} leaves, accuracy {accuracy} %.",
                "rules_plot",
            ),
            CourseStep(
                "boundaries",
                "data=digits&m=cart&m2=gsodt",
                "Sums of pixels in place of pixels (right): along the directions of GSODT "
                "{leaves_2} leaves come to {accuracy_2} %, where CART's {leaves} come to "
                "{accuracy} %.",
                "plane1",
            ),
            CourseStep(
                "data",
                "data=digits&m=cart",
                "The rows themselves: {classes} classes of about equal size.",
                "data_counts",
            ),
        ),
    ),
)
