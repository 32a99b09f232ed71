import { Button } from '@mantine/core';
import { useTexts } from '../texts/texts-provider.tsx';

/** The button below rows of which some are not shown yet. */
export function ShowMore({
  count,
  isLoading = false,
  onShow,
}: {
  /** How many the next step shows. */
  count: number;
  isLoading?: boolean;
  onShow: () => void;
}) {
  const { overview } = useTexts();
  return (
    <Button variant="subtle" mt={8} loading={isLoading} onClick={onShow}>
      {overview.showMore(count)}
    </Button>
  );
}
