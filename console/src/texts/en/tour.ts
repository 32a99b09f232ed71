export const tour = {
  tour: {
    step: (step: number, steps: number) => `Tour of the demo, ${step} of ${steps}`,
    next: 'Next',
    back: 'Back',
    skip: 'Skip the tour',
    end: 'Done',
    again: 'Tour of the demo',
    steps: [
      {
        title: 'What needs you today',
        text: 'Each number opens the list behind it. Below, the most urgent comes first, whatever its kind.',
      },
      {
        title: 'Where everything is',
        text: 'The vehicles of the demo drive while you look. Click one to see its state, and its track of a day.',
      },
      {
        title: 'Every vehicle, as you want it',
        text: 'Search by half a plate, filter by any field, choose columns, and save it as a view for your colleagues. Ctrl K finds vehicles and pages from anywhere.',
      },
      {
        title: 'Damages on a drawing',
        text: 'Open an incident and click where the car was hit. Drop photos and papers: what they say is suggested to you.',
      },
      {
        title: 'What is due, and why',
        text: 'Services and inspections are forecast from kilometres and rules. Mark one done, and the next is planned.',
      },
    ],
  },
};
