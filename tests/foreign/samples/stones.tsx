<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="stones" tilewidth="16" tileheight="16" tilecount="5" columns="5">
 <image source="stones.png" width="80" height="16"/>
 <tile id="0" type="grass"/>
 <tile id="1" type="wall"/>
 <tile id="2" class="water">
  <properties>
   <property name="level" type="int" value="-1"/>
   <property name="impeded" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="3" type="planks"/>
</tileset>
