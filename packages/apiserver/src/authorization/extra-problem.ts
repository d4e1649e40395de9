import { formatFieldError } from '@kubeadmit/apimachinery';
import { formatAggregate, invalid } from '@kubeadmit/apimachinery/field-errors';
import { dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { quote } from '@kubeadmit/go';

/** The extra information of a user, by key. */
export type Extra = Readonly<Record<string, readonly string[]>>;

const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const path = new RegExp(`^${pathFormat}$`);

/** Returns why this extra information cannot be impersonated with any permission (filters/impersonation `validateExtra`). */
export function extraProblem(extra: Extra): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const problem = keyProblem(key);
    if (problem !== '') {
      return `impersonating an invalid key in extra is not allowed: ${problem}`;
    }
    if (key !== key.toLowerCase()) {
      return `impersonating a non-lowercase key in extra is not allowed: ${quote(key)}`;
    }
    if (values.includes('')) {
      return 'impersonating the empty string value in extra is not allowed';
    }
  }
  return undefined;
}

// apimachinery `validation.IsDomainPrefixedPath`
function keyProblem(key: string): string {
  const slash = key.indexOf('/');
  if (slash <= 0 || slash === key.length - 1) {
    return textOf(key, 'must be a domain-prefixed path (such as "acme.io/foo")');
  }
  const host = key.slice(0, slash);
  const rest = key.slice(slash + 1);
  const ofHost = dns1123SubdomainProblems(host).map((problem) => textOf(host, problem));
  const ofPath = path.test(rest)
    ? []
    : [textOf(rest, `Invalid path (regex used for validation is '${pathFormat}')`)];
  return formatAggregate([...ofHost, ...ofPath]);
}

function textOf(value: string, problem: string): string {
  return formatFieldError(invalid('extra.key', value, problem));
}
