import { plural } from '../plural.ts';

const form = plural('en');

export const map = {
  map: {
    label: 'Map of the vehicles',
    asList: 'As a list',
    fit: 'Show all',
    inView: 'In view',
    inViewCount: (count: number, shown: string) =>
      `${shown} ${form(count, 'vehicle', 'vehicles')} in view`,
    more: (shown: string) => `and ${shown} more: zoom in to see them here.`,
    nothingInView: 'No vehicle is in this part of the map.',
    noPosition: (count: number, shown: string) =>
      `${shown} ${form(count, 'has', 'have')} no known position.`,
    states: 'States in view',
    showList: 'Show the list',
    hideList: 'Hide the list',
    close: 'Close',
    open: 'Open vehicle',
    track: 'Track of the day',
    card: (plate: string) => `Vehicle ${plate}`,
    attribution: 'Made with Natural Earth',
    noWebGl: {
      title: 'This browser cannot draw the map',
      advice:
        'It needs WebGL, which is switched off or missing here. The list shows the same vehicles.',
    },
    controls: {
      'NavigationControl.ZoomIn': 'Zoom in',
      'NavigationControl.ZoomOut': 'Zoom out',
      'AttributionControl.ToggleAttribution': 'Sources of the map',
      'Popup.Close': 'Close',
    },
  },
  track: {
    label: (plate: string) => `Map of the track of ${plate}`,
    day: 'Day',
    calendar: {
      nextMonth: 'Next month',
      previousMonth: 'Previous month',
      nextYear: 'Next year',
      previousYear: 'Previous year',
      nextDecade: 'Next decade',
      previousDecade: 'Previous decade',
      monthLevelControl: 'Choose the month',
      yearLevelControl: 'Choose the year',
    },
    previousDay: 'Day before',
    nextDay: 'Day after',
    title: 'Stops',
    notDriven: 'Not driven',
    summary: (distance: string, duration: string) => `${distance} driven in ${duration}`,
    driven: (distance: string, duration: string) => `${distance} in ${duration}`,
    drivenFor: (duration: string) => `${duration} driven`,
    underway: (distance: string, time: string) => `${distance} until ${time}, under way`,
    underwayUntil: (time: string) => `Until ${time}, under way`,
    stop: (number: number) => `Stop ${number}`,
    stillThere: 'still there',
    none: {
      title: 'No positions on this day',
      advice: 'The vehicle reported none. Choose another day.',
    },
    notStored: {
      title: 'Positions of this vehicle are not stored',
      advice: 'That was decided for this vehicle, so that there is neither a place nor a track.',
    },
    lastDay: (day: string) => `Show the last day, ${day}`,
    points: (count: number, shown: string) => `${shown} ${form(count, 'position', 'positions')}`,
  },
};
