import type { PluginChoice } from '@kubeadmit/chain/plugins';
import { InvalidArgumentError, Option } from 'commander';

const sets = ['default', 'policies', 'none', 'envtest'] as const;

/** The option that chooses the admission plugins of the server. */
export function pluginsOption(): Option {
  const about = 'Admission plugins: a set (default, policies, none, envtest) or a list';
  return new Option('--plugins <plugins>', about)
    .argParser(choiceOf)
    .default(choiceOf('default'), 'default');
}

function choiceOf(text: string): PluginChoice {
  const parts = text.split(',').filter((each) => each !== '');
  const [set, second] = sets.filter((name) => parts.includes(name));
  const names = parts.filter((part) => !sets.some((name) => name === part));
  if (parts.length === 0)
    throw new InvalidArgumentError(`Expected ${sets.join(', ')} or a list of plugins.`);
  if (second !== undefined) throw new InvalidArgumentError('Only one set can be chosen.');
  return set === undefined ? { selection: names } : { selection: set, enable: names };
}
