import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../feedback/empty-state.tsx';
import { useTexts } from '../texts/texts-provider.tsx';

export function NotFound() {
  const { feedback } = useTexts();
  return (
    <EmptyState
      isPage
      icon="circle-question-mark"
      title={feedback.noPage.title}
      advice={feedback.noPage.advice}
    >
      <Button component={Link} to="/" variant="default">
        {feedback.noPage.action}
      </Button>
    </EmptyState>
  );
}
