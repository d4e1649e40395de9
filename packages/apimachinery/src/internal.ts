// What the packages of kubeadmit share and users rarely need; it may change with every version.

// Names and formats
export { isBase64, isDate, isDateTime, isUuid } from './formats/data-formats.ts';
export { maskTrailingDash } from './names/generated-name.ts';
export { pathSegmentPrefixProblems, pathSegmentProblems } from './names/path-segment-name.ts';
// Quantities of resources
export { divideQuantity, multiplyQuantity, roundUpQuantity } from './quantity/arithmetic.ts';
export { quantityOf } from './quantity/parse-quantity.ts';
export {
  approximateQuantity,
  bigQuantity,
  integerOfQuantity,
  quantityOfInteger,
  signOfQuantity,
} from './quantity/quantity.ts';
// Semantic versions
export { parseNormalizedSemver } from './semver/parse-semver.ts';
