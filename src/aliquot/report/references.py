"""The literature that a report cites: one entry a key, the key as it stands in the text."""

from __future__ import annotations

REFERENCES = {
    "Angelopoulos et al. 2023": "A. N. Angelopoulos, J. C. Duchi and T. Zrnic. PPI++: Efficient "
    "prediction-powered inference. arXiv:2311.01453, 2023.",
    "Brewer et al. 1972": "K. R. W. Brewer, L. J. Early and S. F. Joyce. Selecting several samples "
    "from a single population. Australian Journal of Statistics 14(3), 1972.",
    "Chaganty et al. 2017": "A. Chaganty, A. Paranjape, P. Liang and C. D. Manning. Importance "
    "sampling for unbiased on-demand evaluation of knowledge base population. Proceedings of "
    "EMNLP, 2017.",
    "Cochran 1977": "W. G. Cochran. Sampling Techniques, third edition. Wiley, 1977.",
    "Dalenius and Hodges 1959": "T. Dalenius and J. L. Hodges. Minimum variance stratification. "
    "Journal of the American Statistical Association 54(285), 1959.",
    "Duffield et al. 2007": "N. Duffield, C. Lund and M. Thorup. Priority sampling for estimation "
    "of arbitrary subset sums. Journal of the ACM 54(6), 2007.",
    "Fay and Feuer 1997": "M. P. Fay and E. J. Feuer. Confidence intervals for directly "
    "standardized rates: a method based on the gamma distribution. Statistics in Medicine 16(7), "
    "1997.",
    "Hajek 1964": "J. Hájek. Asymptotic theory of rejective sampling with varying probabilities "
    "from a finite population. Annals of Mathematical Statistics 35(4), 1964.",
    "Hajek 1971": "J. Hájek. Comment on an essay by D. Basu. In: Foundations of Statistical "
    "Inference. Holt, Rinehart and Winston, 1971.",
    "Hall 1992": "P. Hall. On the removal of skewness by transformation. Journal of the Royal "
    "Statistical Society B 54(1), 1992.",
    "Hanley and Lippman-Hand 1983": "J. A. Hanley and A. Lippman-Hand. If nothing goes wrong, is "
    "everything all right? Interpreting zero numerators. JAMA 249(13), 1983.",
    "Hansen and Hurwitz 1943": "M. H. Hansen and W. N. Hurwitz. On the theory of sampling from "
    "finite populations. Annals of Mathematical Statistics 14(4), 1943.",
    "Hoeffding 1963": "W. Hoeffding. Probability inequalities for sums of bounded random "
    "variables. Journal of the American Statistical Association 58(301), 1963.",
    "Holm 1979": "S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian "
    "Journal of Statistics 6(2), 1979.",
    "Horvitz and Thompson 1952": "D. G. Horvitz and D. J. Thompson. A generalization of sampling "
    "without replacement from a finite universe. Journal of the American Statistical Association "
    "47(260), 1952.",
    "Manski 2003": "C. F. Manski. Partial Identification of Probability Distributions. Springer, "
    "2003.",
    "Maurer and Pontil 2009": "A. Maurer and M. Pontil. Empirical Bernstein bounds and sample "
    "variance penalization. COLT 2009.",
    "Neyman 1934": "J. Neyman. On the two different aspects of the representative method. Journal "
    "of the Royal Statistical Society 97(4), 1934.",
    "Ohlsson 1998": "E. Ohlsson. Sequential Poisson sampling. Journal of Official Statistics "
    "14(2), 1998.",
    "Rosen 1997": "B. Rosén. On sampling with probability proportional to size. Journal of "
    "Statistical Planning and Inference 62(2), 1997.",
    "Sarndal et al. 1992": "C.-E. Särndal, B. Swensson and J. Wretman. Model Assisted Survey "
    "Sampling. Springer, 1992.",
    "Schnabel et al. 2016": "T. Schnabel, A. Swaminathan, P. I. Frazier and T. Joachims. Unbiased "
    "comparative evaluation of ranking functions. ICTIR 2016.",
    "Waudby-Smith and Ramdas 2024": "I. Waudby-Smith and A. Ramdas. Estimating means of bounded "
    "random variables by betting. Journal of the Royal Statistical Society B 86(1), 2024.",
    "Webber 2013": "W. Webber. Approximate recall confidence intervals. ACM Transactions on "
    "Information Systems 31(1), 2013.",
    "Wilson 1927": "E. B. Wilson. Probable inference, the law of succession, and statistical "
    "inference. Journal of the American Statistical Association 22(158), 1927.",
}
