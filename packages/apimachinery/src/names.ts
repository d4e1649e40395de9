// What names of objects and labels may be, for who makes or checks them.

export {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from './checked/names.ts';
