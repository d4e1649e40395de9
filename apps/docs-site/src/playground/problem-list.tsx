import type { FunctionalComponent } from 'vue';
import type { Problem } from '../worker/judgement.ts';
import { PlaceButton } from './place-button.tsx';
import type { PlaygroundModel } from './state.ts';

/** The problems of the files, each with its place. */
export const ProblemList: FunctionalComponent<{
  readonly problems: readonly Problem[];
  readonly model: PlaygroundModel;
}> = ({ problems, model }) => (
  <ul class="problems" aria-label="Problems in the files">
    {problems.map(({ file, line, column, severity, message }, index) => (
      <li key={index} class={severity}>
        <PlaceButton model={model} file={file} line={line} column={column} />{' '}
        <span class="message">{message}</span>
      </li>
    ))}
  </ul>
);
ProblemList.props = ['problems', 'model'];
