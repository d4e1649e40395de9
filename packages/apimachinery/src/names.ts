// Rules for names of objects and labels.

export {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
} from './names/dns-name.ts';
export { labelValueProblems, qualifiedNameProblems } from './names/label-name.ts';
export {
  maskTrailingDash,
  type NameRule,
  nameProblems,
  pathSegmentProblems,
} from './names/name-rule.ts';
