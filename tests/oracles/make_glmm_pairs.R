# Writes glmm_pairs.json: y ~ 1 + (1 | pair) on the data of the crossed models.
# Run in this folder: Rscript make_glmm_pairs.R
suppressPackageStartupMessages(library(lme4))
tight <- glmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9), tolPwrss = 1e-12)
names <- c("g1_paperlike_138", "g1b_paperlike_138", "g2_singular_60", "g5_strong_1000", "g6_5000")
one <- function(name) {
  data <- read.csv(file.path("data", paste0(name, ".csv")))
  fit <- suppressMessages(glmer(y ~ 1 + (1 | pair), data, binomial, tight, nAGQ = 1))
  spread <- as.data.frame(VarCorr(fit))$sdcor[1]
  error <- sqrt(vcov(fit, use.hessian = spread > 1e-4)[1, 1])
  sprintf(
    '  {"data": "%s", "beta": %.12g, "se": %.12g, "sd_pair": %.12g, "minus2logL": %.12g}',
    name, fixef(fit), error, spread, -2 * as.numeric(logLik(fit))
  )
}
rows <- paste(vapply(names, one, ""), collapse = ",\n")
call <- "glmer(y ~ 1 + (1 | pair), binomial, nAGQ = 1), bobyqa rhoend 1e-9, tolPwrss 1e-12"
package <- paste("lme4", packageVersion("lme4"), R.version.string)
cat(sprintf('{"call": "%s", "package": "%s", "cases": [\n%s\n]}\n', call, package, rows),
    file = "glmm_pairs.json")
