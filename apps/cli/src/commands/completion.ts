import { Argument, Command, type Option } from 'commander';
import type { CommandContext } from './context.ts';

const guide = `
Examples:
  kubeadmit completion bash > /etc/bash_completion.d/kubeadmit
  kubeadmit completion zsh > "\${fpath[1]}/_kubeadmit"
  kubeadmit completion fish > ~/.config/fish/completions/kubeadmit.fish

Exit codes: 0 printed, 2 invalid usage.`;

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `kubeadmit completion`: prints a completion script. */
export function completionCommand({ terminal }: CommandContext): Command {
  const command = new Command('completion');
  return command
    .summary('Print a shell completion script')
    .description('Print a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'Shell').choices(Object.keys(scripts)))
    .addHelpText('after', guide)
    .action((shell: keyof typeof scripts) =>
      terminal.print(scripts[shell](visibleCommands(command.parent))),
    );
}

/** Commands that the help lists; old names are not completed. */
function visibleCommands(program: Command | null): readonly Command[] {
  if (program === null) return [];
  return program.createHelp().visibleCommands(program);
}

function bashScript(commands: readonly Command[]): string {
  const cases = commands.map(
    (command) => `    ${command.name()}) words="${wordsOf(command).join(' ')}" ;;`,
  );
  const values = commands.flatMap((command) =>
    command.options.flatMap((option) => {
      const choices = choicesOf(option);
      const names = [option.short, option.long].flatMap((name) =>
        name === undefined ? [] : [`"${command.name()} ${name}"`],
      );
      return choices.length === 0
        ? []
        : [`    ${names.join(' | ')}) words="${choices.join(' ')}" ;;`];
    }),
  );
  return `_kubeadmit() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map((command) => command.name()).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
}
complete -o filenames -F _kubeadmit kubeadmit
`;
}

function zshScript(commands: readonly Command[]): string {
  return `#compdef kubeadmit
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}`;
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const seen = `-n '__fish_seen_subcommand_from ${command.name()}'`;
    return [
      `complete -c kubeadmit -n __fish_use_subcommand -f -a ${command.name()} -d ${quoted(command.summary())}`,
      ...command.commands.map(
        (inner) =>
          `complete -c kubeadmit ${seen} -f -a ${inner.name()} -d ${quoted(inner.summary())}`,
      ),
      ...command.options.map((option) => {
        const { short, long = '', description } = option;
        const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
        const choices = choicesOf(option);
        const values = choices.length === 0 ? '' : ` -x -a ${quoted(choices.join(' '))}`;
        return `complete -c kubeadmit ${seen}${letter} -l ${long.slice(2)}${values} -d ${quoted(description)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function wordsOf(command: Command): readonly string[] {
  const options = command.options.map(({ long }) => long ?? '');
  return [...command.commands.map((inner) => inner.name()), ...options, '--help'];
}

/** The words that an option takes. */
function choicesOf({ argChoices, description }: Option): readonly string[] {
  return argChoices ?? /choices: ([^;)]*)/.exec(description)?.[1]?.split(', ') ?? [];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
