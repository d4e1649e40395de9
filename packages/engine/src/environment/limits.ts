// The limits that kube-apiserver has for expressions (apiserver pkg/apis/cel/config.go), in units of
// CEL cost.

/** The most that one evaluation of one expression may cost (`PerCallLimit`). */
export const perCallLimit = 1_000_000;

/** The most that all expressions of one policy with one binding may cost for one request (`RuntimeCELCostBudget`). */
export const requestBudget = 10_000_000;

/** The most that all match conditions of one policy may cost for one request (`RuntimeCELCostBudgetMatchConditions`). */
export const matchConditionsBudget = 2_500_000;
