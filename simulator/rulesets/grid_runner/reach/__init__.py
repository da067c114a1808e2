"""Where a character can end: `questions` says what can be asked, `answer` what is answered for one pass.

Several passes are `chains` of movements; `charge_lanes` end at somebody; `waypoints` come by given squares.
"""
