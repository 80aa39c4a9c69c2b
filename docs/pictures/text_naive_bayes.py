"""What each word says for a class: in the multinomial model each time it occurs, in the Bernoulli model if it does or not."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

from aprendiz import BernoulliNB, MultinomialNB
from aprendiz.plots.shared.style import BLUE, GREY, INK, VERMILION, tidy

TEXTS = [
    *("cheap watches buy now", "buy cheap cheap tickets", "win money now", "cheap money buy now"),
    *("meeting on monday", "tickets for the meeting", "notes of the meeting on monday", "lunch on monday"),
]


def draw(path):
    """Write the picture."""
    words = CountVectorizer().fit(TEXTS)
    X, y = words.transform(TEXTS), np.repeat(["advert", "mail"], 4)
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3.6), layout="constrained", sharey=True)
    names = words.get_feature_names_out()
    spoken = MultinomialNB().fit(X, y).feature_log_prob_
    yes = np.exp(BernoulliNB().fit(X, y).feature_log_prob_)
    weight = spoken[0] - spoken[1]
    order = np.argsort(weight, kind="stable")
    places = np.arange(len(names))
    axes[0].barh(places, weight[order], color=np.where(weight[order] > 0, VERMILION, BLUE))
    present, absent = (np.log(p[0] / p[1])[order] for p in (yes, 1 - yes))
    axes[1].barh(places, present, color=np.where(present > 0, VERMILION, BLUE))
    axes[1].plot(absent, places, "o", color=INK, markersize=4)
    for ax, title in zip(axes, ("multinomial, each time", "Bernoulli (dot: absent)"), strict=True):
        ax.axvline(0, color=GREY, linewidth=0.8)
        tidy(ax, x="log-odds for an advert", y="", title=title)
    axes[0].set_yticks(places, names[order])
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    plt.close(figure)
