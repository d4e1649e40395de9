import type { FunctionalComponent } from 'vue';
import type { Change } from '../worker/judgement.ts';
import { diffLines, withoutFarLines } from './line-diff.ts';

const signs = { same: ' ', removed: '-', added: '+' } as const;

/** The changes by mutations, in order. */
export const ChangeList: FunctionalComponent<{ readonly changes: readonly Change[] }> = ({
  changes,
}) => (
  <ol class="changes" aria-label="Changes">
    {changes.map(({ title, before, after }, index) => (
      <li key={index}>
        <h3>{title}</h3>
        <pre class="diff">
          {withoutFarLines(diffLines(before, after), 3).map((line, place) =>
            line === undefined ? (
              <span key={place} class="left-out">
                {'  …\n'}
              </span>
            ) : (
              <span key={place} class={line.kind}>
                {`${signs[line.kind]} ${line.text}\n`}
              </span>
            ),
          )}
        </pre>
      </li>
    ))}
  </ol>
);
ChangeList.props = ['changes'];
