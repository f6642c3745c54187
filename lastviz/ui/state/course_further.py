"""The further lessons of the course: other questions than one feature at a time."""

from __future__ import annotations

from .course import TEACH, CourseScene, CourseStep

CLOUDS = "data=xor&noise=0.1"
XOR = f"{CLOUDS}&m=hybrid&m.k=30&m.w2=0.1&m2=cart"
ONE_CLOUD = "data=blobs&held=0&m=hybrid&m.criterion=bnm&m.w2=0.05&m2=cart"

FURTHER_LESSONS = (
    CourseScene(
        "oblique",
        "What does one slanted line save?",
        "A diagonal: CART {leaves} leaves, {accuracy} % right; OC1 {leaves_2}, {accuracy_2} %",
        TEACH,
        5,
        (
            CourseStep(
                "boundaries",
                "data=diagonal&m=cart&m2=oc1",
                "The border runs from corner to corner. CART (left) builds it from {leaves} "
                "boxes: accuracy {accuracy} %.",
                "plane0",
            ),
            CourseStep(
                "boundaries",
                "data=diagonal&m=cart&m2=oc1",
                "OC1 (right) can use both features in one test: {leaves_2} leaves, accuracy "
                "{accuracy_2} %.",
                "plane1",
            ),
            CourseStep(
                "splits",
                "data=diagonal&m=oc1",
                "How it found the line: each grey curve is a search from a new start, turned move "
                "by move until nothing gains. Drag the slider and watch the line turn.",
                "hyperplanes",
            ),
        ),
    ),
    CourseScene(
        "latent",
        "Where do hidden directions help?",
        "Waveform: C4.5 {accuracy} %, GSODT {accuracy_2} % accuracy",
        TEACH,
        7,
        (
            CourseStep(
                "boundaries",
                "data=waveform&n_samples=1000&m=c45&m2=gsodt",
                "{features} features, none of which is informative alone. C4.5 tests one at a "
                "time: {leaves} leaves, accuracy {accuracy} % on held-out rows.",
                "plane0",
            ),
            CourseStep(
                "boundaries",
                "data=waveform&n_samples=1000&m=c45&m2=gsodt",
                "GSODT first finds directions by a singular value decomposition, then grows C4.5 "
                "along them: {leaves_2} leaves, accuracy {accuracy_2} %.",
                "plane1",
            ),
            CourseStep(
                "latent",
                "data=waveform&n_samples=900&seed=2&m=gsodt",
                "Left two features, in which the classes lie over each other; right the first "
                "components, in which they form a triangle; the split is one straight line "
                "through it.",
                "latent_plane",
            ),
        ),
    ),
    CourseScene(
        "machines",
        "Which class is easiest to separate?",
        "Three spirals: class {peeled} is split off first",
        TEACH,
        6,
        (
            CourseStep(
                "growth",
                "data=three_spirals&m=svm_tree&m.sigma=18&m.C=100",
                "An SVM tree splits off one class at a time. The matrix compares the classes "
                "two by two in the kernel's space; the one whose nearest rival is farthest is "
                "split off first: class {peeled}.",
                "growth",
            ),
            CourseStep(
                "growth",
                "data=two_spreads&m=svm_tree",
                "Three classes with centres equally far apart. The distance of the centres "
                "cannot tell which is easiest, their spread can: class {peeled} is split off "
                "first.",
                "growth",
            ),
            CourseStep(
                "boundaries",
                "data=two_spreads&m=svm_tree&m2=cart",
                "{inner} curves against boxes: accuracy {accuracy} % with {leaves} leaves, CART "
                "{accuracy_2} % with {leaves_2}.",
                "plane0",
            ),
        ),
    ),
    CourseScene(
        "xor",
        "Why does a greedy search fail?",
        "XOR, {learnt} rows, noise {noise}: Gini grows {leaves_2} leaves, BNM and CSN {leaves}",
        TEACH,
        10,
        (
            CourseStep(
                "splits",
                f"{XOR}&ask=split~2",
                "Two classes, four clouds, crosswise. Gini counts the classes on each side, and "
                "between the clouds both sides keep both in equal parts: of {candidates} lines it "
                "takes {gini_test} (dotted), which cuts into clouds and lowers the impurity of "
                "{impurity} by {best_gini}. CART grows {leaves_2} leaves from there. The hybrid "
                "measures distances, too: it takes a line at the edge of the gap (black), {test}, "
                "and grows {leaves}. Accuracy on the {held} rows held out: {accuracy_2} and "
                "{accuracy} %. Two of its settings are not the defaults; step 5 compares them.",
                "lab_plot",
            ),
            CourseStep(
                "splits",
                f"{XOR}&curves=bnm&distances=bnm&pick=418",
                "BNM (between-node margin within the same class) asks how far apart the two "
                "halves of each class lie: the two long lines join their centres (squared "
                "length, features scaled to 0 to 1). In the gap that is {best_bnm5}, at Gini's "
                "choice {bnm5_at_gini}. Then it subtracts P + Q: P is how far the line is from "
                "the nearest rows on its left, Q on its right, of the same and of the other "
                "classes. Those rows are circled.",
                "lab_plot",
            ),
            CourseStep(
                "splits",
                f"{XOR}&curves=bnm&distances=bnm&pick=416",
                "Where BNM fails: it dislikes a wide empty gap. In the gap, at {bnm5_test}, P + Q "
                "is {penalty_at_bnm5}, against a margin of {best_bnm5}; at {bnm_test}, inside a "
                "cloud, it is {penalty_at_bnm}, and BNM alone would cut there, as drawn. Where "
                "every class is one cloud it fails, too: the halves of a class are then far apart "
                "only where a line cuts into it.",
                "lab_plot",
            ),
            CourseStep(
                "splits",
                f"{XOR}&curves=csn&distances=csn&pick=135",
                "CSN (within-class compactness and between-class separation in the same node) "
                "divides the spread of each class on each side (crosses, one standard deviation) "
                "by the distance of the classes there (grey lines); small is good. Its best line, "
                "{csn_test}, has {best_csn}; Gini's choice has {csn_at_gini}. Where CSN fails: it "
                "only decides between the best of another criterion, and by Gini its best line "
                "is number {gini_rank_of_csn} of {candidates}.",
                "lab_plot",
            ),
            CourseStep(
                "splits",
                f"{CLOUDS}&m=hybrid&m2=hybrid&m2.k=30&m2.w2=0.1",
                "Why both: Gini gain plus weighted BNM makes a shortlist, and CSN takes from it "
                "the line whose sides are tight. At its defaults the list holds {shortlist}: the "
                "hybrid takes {test} (black) and grows {leaves} leaves. With {settings_2} it takes "
                "{test_2} (dotted), number {rank_of_second} of {candidates}, and grows {leaves_2} "
                "leaves; accuracy on the {held} rows held out: {accuracy} and {accuracy_2} %. "
                "“Other settings, cross-validated” among the settings offers a smaller tree that "
                "is as good, if there is one.",
                "lab_plot",
            ),
        ),
    ),
    CourseScene(
        "greed_cost",
        "What did greed cost?",
        "XOR, depth {depth}: CART {errors} training errors, the best tree {errors_2}",
        TEACH,
        8,
        (
            CourseStep(
                "boundaries",
                "data=xor&held=0&m=cart&m.max_depth=2&m2=optimal&m2.max_depth=2",
                "Two levels of tests on {learnt} rows. CART (left) takes the split that looks "
                "best at each node: {errors} training errors. The best of all trees of this depth "
                "(right) makes {errors_2}.",
                "plane1",
            ),
            CourseStep(
                "splits",
                "data=moons&held=0&m=cart&m.max_depth=3&better=true",
                "Which part was the fault? CART of depth three makes {errors} training errors on "
                "the moons. Keep its first question, {test}, and choose the rest as well as "
                "possible: {fewest_below_root}. Choose the first one freely, too: {fewest}.",
                "ahead",
            ),
            CourseStep(
                "rules",
                "data=wine&m=optimal&m2=cart&m2.max_depth=3&rule_view=rules",
                "A table of {features} measurements. The optimal tree of depth three makes "
                "{errors} training errors with {leaves} leaves, CART {errors_2} with {leaves_2}. "
                "On the {held} wines that were held out: accuracy {accuracy} and {accuracy_2} %.",
                "rules_plot",
            ),
            CourseStep(
                "boundaries",
                "data=gauss_2d&n_samples=1000&m=cart&m.max_depth=3&m2=optimal",
                "Two clouds that overlap. Training errors of depth three: CART {errors}, the "
                "optimal tree {errors_2}. Accuracy on rows held out: CART {accuracy} %, the "
                "optimal tree {accuracy_2} %. The best tree for the training rows need not be "
                "the best for new ones: where classes overlap, part of what it saves is noise.",
                "plane1",
            ),
        ),
    ),
    CourseScene(
        "bnm_fails",
        "When do distances not help?",
        "One cloud a class: BNM {leaves} leaves, Gini {leaves_2}",
        TEACH,
        4,
        (
            CourseStep(
                "splits",
                ONE_CLOUD,
                "Every class is a single cloud. The halves of a class are far apart wherever a "
                "line cuts into its cloud, the last thing that a tree should do: without P + Q "
                "BNM would take {bnm5_test}, which gains {gini_at_bnm5} of impurity; Gini's "
                "choice, {gini_test}, gains {best_gini}.",
                "lab_plot",
            ),
            CourseStep(
                "splits",
                f"{ONE_CLOUD}&lab=agreement",
                "Do the criteria agree? The table ranks all {candidates} lines by each of "
                "them; the best line according to BNM, {bnm_test}, ranks {gini_rank_of_bnm} "
                "according to Gini.",
                "agreement",
            ),
            CourseStep(
                "boundaries",
                ONE_CLOUD,
                "So the hybrid tree gives BNM little weight here. {leaves} leaves (left) against "
                "{leaves_2} of CART (right): accuracy in training {training} and {training_2} %.",
                "plane0",
            ),
        ),
    ),
    CourseScene(
        "numbers",
        "How does a tree predict a number?",
        "A noisy sine: {leaves} steps, each the mean of its rows",
        TEACH,
        4,
        (
            CourseStep(
                "boundaries",
                "data=noisy_sine&m=cart&r.max_leaf_nodes=10",
                "The prediction is a staircase of {leaves} steps; each is the mean of its rows. "
                "It is off by {rmse} (root of the mean squared error) on rows held out.",
                "numbers",
            ),
            CourseStep(
                "boundaries",
                "data=noisy_sine&m=cart&r.max_leaf_nodes=3",
                "Three steps are too few: the error is {rmse_training} in training and {rmse} on "
                "new rows. The tree misses the curve.",
                "numbers",
            ),
            CourseStep(
                "boundaries",
                "data=noisy_sine&m=cart",
                "And {leaves} steps are too many: the error is {rmse_training} in training and "
                "{rmse} on new rows. The tree has fitted the noise.",
                "numbers",
            ),
        ),
    ),
)
