import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { Problem } from './problem.tsx';

type Props = {
  children: ReactNode;
  /** Where another one is, the part is tried again. */
  resetKey?: string | undefined;
};
type State = { error: unknown; hasFailed: boolean };

/** Shows a problem in the place of a part that failed, so that the rest stays. A query that failed is asked again with it. */
export function ErrorBoundary(props: Props) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => <Boundary {...props} onReset={reset} />}
    </QueryErrorResetBoundary>
  );
}

class Boundary extends Component<Props & { onReset(): void }, State> {
  override state: State = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, hasFailed: true };
  }

  override componentDidUpdate({ resetKey }: Props) {
    if (this.state.hasFailed && resetKey !== this.props.resetKey) this.reset();
  }

  reset() {
    this.props.onReset();
    this.setState({ error: undefined, hasFailed: false });
  }

  override render() {
    const { error, hasFailed } = this.state;
    if (!hasFailed) return this.props.children;
    return <Problem error={error} onRetry={() => this.reset()} />;
  }
}
