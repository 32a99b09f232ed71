/** The client's groups with their methods, each by the id of its operation. */
export const groups: Record<string, { description: string; methods: Record<string, string> }> = {
  profile: {
    description: "The provider's own profile.",
    methods: { get: 'getProfile', put: 'putProfile' },
  },
  vehicles: {
    description: 'The vehicles of the fleet, with their pictures.',
    methods: {
      find: 'findVehicles',
      get: 'getVehicle',
      put: 'putVehicle',
      delete: 'deleteVehicle',
      patchAsset: 'patchVehicleAsset',
      putImage: 'putVehicleImage',
      getImage: 'getVehicleImage',
      deleteImage: 'deleteVehicleImage',
    },
  },
  telemetry: {
    description: 'What vehicles and their databoxes measure.',
    methods: {
      send: 'sendDataboxMessages',
      putStatus: 'putVehicleStatus',
      getStatus: 'getVehicleStatus',
      history: 'getVehicleHistory',
      getTyres: 'getVehicleTyres',
    },
  },
  databoxes: {
    description: 'The databoxes, and the vehicles they are installed in.',
    methods: {
      list: 'listDataboxes',
      get: 'getDatabox',
      put: 'putDatabox',
      delete: 'deleteDatabox',
    },
  },
  charging: {
    description: 'Charging sessions of a vehicle.',
    methods: {
      find: 'chargingHistory',
      get: 'getChargingSession',
      put: 'putChargingSession',
      delete: 'deleteChargingSession',
    },
  },
  inspection: {
    description: 'The periodical inspection of a vehicle.',
    methods: {
      get: 'getInspection',
      put: 'putInspection',
      retriggerEstimation: 'retriggerInspectionEstimation',
    },
  },
  maintenance: {
    description: 'Planned maintenance and reports of it.',
    methods: {
      findPlanned: 'listPlannedMaintenance',
      list: 'listVehicleMaintenance',
      create: 'createMaintenanceReport',
      get: 'getMaintenanceReport',
      put: 'putMaintenanceReport',
      delete: 'deleteMaintenanceReport',
      complete: 'completeMaintenance',
    },
  },
  maintenanceSchedules: {
    description: 'The schedules by which maintenance is planned.',
    methods: {
      list: 'listMaintenanceSchedules',
      create: 'createMaintenanceSchedule',
      get: 'getMaintenanceSchedule',
      put: 'putMaintenanceSchedule',
      delete: 'deleteMaintenanceSchedule',
    },
  },
  drivers: {
    description: 'Who may drive a vehicle, and who drove it when.',
    methods: {
      list: 'listDrivers',
      add: 'addDriver',
      remove: 'removeDriver',
      findAssignments: 'findAssignments',
    },
  },
  users: {
    description: 'The customers who use vehicles.',
    methods: {
      find: 'findUsers',
      get: 'getUser',
      export: 'exportUser',
      erase: 'eraseUser',
      getErasure: 'getErasure',
    },
  },
  incidents: {
    description: 'Incidents with their damages, files and recognised documents.',
    methods: {
      findInFleet: 'findIncidents',
      list: 'listIncidents',
      create: 'createIncident',
      get: 'getIncident',
      update: 'updateIncident',
      delete: 'deleteIncident',
      getOcr: 'getIncidentOcr',
      setOcrStatus: 'setIncidentOcrStatus',
      decideSuggestion: 'decideSuggestion',
      announceFile: 'announceIncidentFile',
      uploadFile: 'uploadIncidentFile',
      downloadFile: 'downloadIncidentFile',
      removeFile: 'removeIncidentFile',
    },
  },
  logbook: {
    description: 'The logbook of a vehicle, with its files.',
    methods: {
      list: 'listLogbookEntries',
      create: 'createLogbookEntry',
      get: 'getLogbookEntry',
      put: 'putLogbookEntry',
      delete: 'deleteLogbookEntry',
      announceFile: 'announceLogbookFile',
      uploadFile: 'uploadLogbookFile',
      downloadFile: 'downloadLogbookFile',
      removeFile: 'removeLogbookFile',
    },
  },
  checklist: {
    description: 'The checklist of a vehicle, with its files.',
    methods: {
      list: 'listChecklist',
      create: 'createChecklistEntry',
      get: 'getChecklistEntry',
      put: 'putChecklistEntry',
      delete: 'deleteChecklistEntry',
      applyTemplate: 'applyChecklistTemplate',
      announceFile: 'announceChecklistFile',
      uploadFile: 'uploadChecklistFile',
      downloadFile: 'downloadChecklistFile',
      removeFile: 'removeChecklistFile',
    },
  },
  checklistTemplates: {
    description: 'Templates of checklists.',
    methods: {
      list: 'listChecklistTemplates',
      create: 'createChecklistTemplate',
      get: 'getChecklistTemplate',
      put: 'putChecklistTemplate',
      delete: 'deleteChecklistTemplate',
    },
  },
  invoices: {
    description: 'Invoices, with their files and recognised documents, and what the fleet costs.',
    methods: {
      find: 'findInvoices',
      create: 'createInvoice',
      createFromDocument: 'createInvoiceFromDocument',
      get: 'getInvoice',
      put: 'putInvoice',
      delete: 'deleteInvoice',
      getOcr: 'getInvoiceOcr',
      findCosts: 'findCosts',
      announceFile: 'announceInvoiceFile',
      uploadFile: 'uploadInvoiceFile',
      downloadFile: 'downloadInvoiceFile',
      removeFile: 'removeInvoiceFile',
    },
  },
  clients: {
    description: 'The clients that may request tokens; for administrators.',
    methods: {
      find: 'findClients',
      create: 'createClient',
      get: 'getClient',
      put: 'putClient',
      delete: 'deleteClient',
      rotateSecret: 'rotateClientSecret',
      disable: 'disableClient',
      enable: 'enableClient',
    },
  },
  userAccounts: {
    description: 'The people who may sign in; for administrators.',
    methods: {
      find: 'findUserAccounts',
      invite: 'inviteUser',
      get: 'getUserAccount',
      put: 'putUserAccount',
      delete: 'deleteUserAccount',
      disable: 'disableUserAccount',
      enable: 'enableUserAccount',
      reset: 'resetUserAccount',
    },
  },
  sessions: {
    description: 'Sessions of people who have signed in; for administrators.',
    methods: { find: 'findSignInSessions', revoke: 'revokeSignInSession' },
  },
  audit: {
    description: 'The audit trail; for administrators.',
    methods: { find: 'findAuditEvents' },
  },
};

/** Operations that the client uses itself, or that another method replaces. */
export const leftOut: readonly string[] = ['requestToken'];
