import { type FieldError, member } from '@kubeadmit/apimachinery';
import {
  invalid,
  labelValueProblems,
  memberText,
  notSupported,
  qualifiedNameProblems,
} from '@kubeadmit/apimachinery/internal';

/** Validates tolerations (kubernetes core validation `ValidateTolerations` without options). */
export function tolerationProblems(list: readonly unknown[], path: string): readonly FieldError[] {
  return list.flatMap((each, at) => problemsOf(each, `${path}[${at}]`));
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function problemsOf(toleration: unknown, path: string): readonly FieldError[] {
  const text = (name: string): string => memberText(toleration, name);
  const problems: FieldError[] = [];
  if (text('key') !== '') {
    const keyProblems = qualifiedNameProblems(text('key'));
    problems.push(...keyProblems.map((why) => invalid(`${path}.key`, text('key'), why)));
  } else if (text('operator') !== 'Exists') {
    const why =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    problems.push(invalid(`${path}.operator`, text('operator'), why));
  }
  const effect = text('effect');
  if (member(toleration, 'tolerationSeconds') != null && effect !== 'NoExecute') {
    const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    problems.push(invalid(`${path}.effect`, effect, why));
  }
  problems.push(...operatorProblems(text('operator'), text('value'), `${path}.operator`));
  if (effect !== '' && !effects.includes(effect)) {
    problems.push(notSupported(`${path}.effect`, effect, effects));
  }
  return problems;
}

function operatorProblems(operator: string, value: string, path: string): readonly FieldError[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const problems = labelValueProblems(value);
      return problems.length === 0 ? [] : [invalid(path, value, problems.join(';'))];
    }
    case 'Exists':
      return value === ''
        ? []
        : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      return [notSupported(path, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(path, operator, ['Equal', 'Exists'])];
  }
}
