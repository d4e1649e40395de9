// The limits that kube-apiserver has for expressions (apiserver pkg/apis/cel/config.go), in units of
// CEL cost.

/** For one evaluation of one expression. */
export const perCallLimit = 1_000_000;

/** For all expressions of one policy with one binding, for one request. */
export const requestBudget = 10_000_000;

/** For all match conditions of one policy, for one request. */
export const matchConditionsBudget = 2_500_000;
